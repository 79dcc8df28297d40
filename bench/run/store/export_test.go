package store

// What tests need to make sound files that are nevertheless not ours.
var (
	Seal     = seal
	SealKey  = sealKey
	Unsealed = unsealed
)
