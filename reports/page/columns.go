package page

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// An array is a column: one attribute of all rows of a table, in the order of the rows.
type array struct {
	Name string `json:"name"`
	Type string `json:"type"` // f64, u32 or u16
	N    int    `json:"n"`

	width int
	bytes []byte // little-endian, value by value
}

// floats is a column of numbers; NaN stands for null.
func floats(name string, xs []float64) array {
	c := array{Name: name, Type: "f64", N: len(xs), width: 8}
	for _, x := range xs {
		c.bytes = binary.LittleEndian.AppendUint64(c.bytes, math.Float64bits(x))
	}
	return c
}

// indices is a column of positions in a list.
func indices(name string, xs []int) array {
	c := array{Name: name, Type: "u16", N: len(xs), width: 2}
	if len(xs) > 0 && slices.Max(xs) > math.MaxUint16 {
		c.Type, c.width = "u32", 4
	}
	for _, x := range xs {
		c.bytes = binary.LittleEndian.AppendUint32(c.bytes, uint32(x))[:len(c.bytes)+c.width]
	}
	return c
}

// planes returns the bytes with all first bytes of the values first, then all second ones and so on: the exponents of
// numbers, which are alike, then lie together and compress.
func (c array) planes() []byte {
	out := make([]byte, 0, len(c.bytes))
	for b := range c.width {
		for i := b; i < len(c.bytes); i += c.width {
			out = append(out, c.bytes[i])
		}
	}
	return out
}

// pack is the text that the page's script unpacks: in base64, a zlib stream of the header's length (32 bits, little-endian),
// the header as JSON, and the columns in the header's order.
func pack(header any, columns []array) (string, error) {
	head, err := json.Marshal(header)
	if err != nil {
		return "", fmt.Errorf("data of the page: %w", err)
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	parts := [][]byte{binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head}
	for _, c := range columns {
		parts = append(parts, c.planes())
	}
	for _, p := range parts {
		if _, err := z.Write(p); err != nil {
			return "", fmt.Errorf("data of the page: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return "", fmt.Errorf("data of the page: %w", err)
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

// A dictionary numbers words in the order of their first use.
type dictionary struct {
	Words []string
	at    map[string]int
}

func (d *dictionary) index(word string) int {
	i, ok := d.at[word]
	if !ok {
		if d.at == nil {
			d.at = map[string]int{}
		}
		i = len(d.Words)
		d.at[word] = i
		d.Words = append(d.Words, word)
	}
	return i
}
