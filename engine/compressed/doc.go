// Package compressed opens compressed logs as package engine opens plain ones:
// every selection of a [engine.File] works on what they hold.
//
//	f, err := compressed.Open("app.log.2.gz", nil)
//	defer f.Close()
//	last, err := f.Tail(ctx, 100)
//
// gzip, zstd, s2, snappy and bzip2 are known by the first bytes of the file,
// whatever its name; any other file is opened as it is.
//
// # Cost
//
// What a file holds is decoded once from its beginning, as far as it is needed:
// the first lines of a large file come at once. On that pass are made, about
// every 4 MiB, places where decoding can begin again; checksums of what lies
// between them; the index of lines; and the description. When the file was decoded to its end,
// they are kept in a sidecar in the user's cache folder (see
// [engine.Options]), and from then on any part of the file is decoded from the
// place before it, and a file that is read in order, on several cores.
// Some formats are easier: members, frames and blocks that stand alone are such
// places by themselves, and where they say how long they are, as those of zstd,
// bgzip, s2 and snappy do, the first pass decodes them on several cores too. bzip2 has none, and is decoded from its beginning.
//
// Memory is bounded, whatever the file says of itself: some 60 MiB, and the
// window that a zstd frame demands, which is 128 MiB at most.
//
// # Damage
//
// A file that ends too early or is damaged gives what could be decoded, and then
// a [DamageError]: it says where, and how much was found right by a checksum.
// What a wrong checksum is of is not given, unless it was before the checksum
// was seen: that is only where the checksum is of more than some megabytes. [Verified] tells whether all
// of a file was.
//
// A file that was decoded once and is damaged later gives an error, and no wrong
// byte: what is read is checked against what was seen on the first pass.
package compressed
