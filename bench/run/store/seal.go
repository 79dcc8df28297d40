package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Parquet's own checksums leave most of a small file uncovered, so each file carries one of all its bytes: the SHA-256 that
// the file has while sealDigits zeros stand in the place of the digest. Other tools see a footer key like any other.
const (
	sealKey    = "schedgap.sha256"
	sealMark   = "sha256:"
	sealDigits = 2 * sha256.Size
)

var unsealed = sealMark + strings.Repeat("0", sealDigits)

// seal enters the digest into a file that was written with unsealed under sealKey.
func seal(file []byte) error {
	at := bytes.LastIndex(file, []byte(unsealed))
	if at < 0 {
		return errors.New("the Parquet footer has no place for the checksum")
	}
	sum := sha256.Sum256(file)
	hex.Encode(file[at+len(sealMark):], sum[:])
	return nil
}

// checkSeal returns an error if a file differs from the sealed one in any byte. It comes before decoding, since the decoder
// trusts its input.
func checkSeal(file []byte) error {
	magic := []byte("PAR1")
	if !bytes.HasPrefix(file, magic) || !bytes.HasSuffix(file, magic) {
		return errors.New("torn, or no Parquet file")
	}
	// The footer's keys are near the end; what follows them contains the mark only by chance.
	at := bytes.LastIndex(file, []byte(sealMark))
	if at < 0 || at+len(unsealed) > len(file) {
		return fmt.Errorf("foreign or damaged: its footer has no %s", sealKey)
	}
	digits := file[at+len(sealMark) : at+len(unsealed)]
	got := string(digits)
	copy(digits, unsealed[len(sealMark):])
	sum := sha256.Sum256(file)
	copy(digits, got)
	if got != hex.EncodeToString(sum[:]) {
		return fmt.Errorf("damaged or rewritten: its contents do not match its %s", sealKey)
	}
	return nil
}
