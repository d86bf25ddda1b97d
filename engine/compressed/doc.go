// Package compressed opens compressed logs as package engine opens plain ones:
// every selection of a [engine.File] works on what they hold.
//
//	f, err := compressed.Open("app.log.2.gz", nil)
//	defer f.Close()
//	last, err := f.Tail(ctx, 100)
//
// gzip, zstd, s2, snappy, bzip2 and xz are known by the first bytes of the file,
// whatever its name; any other file is opened as it is. [Convert] writes what
// is read best.
//
// # Cost
//
// What a file holds is decoded once from its beginning, as far as it is needed:
// the first lines of a large file come at once. On that pass are made, about
// every 4 MiB, places where decoding can begin again; checksums of what lies
// between them; the index of lines; and the description. When the file was
// decoded to its end, they are kept in a sidecar in the user's cache folder (see
// [engine.Options]), with the last 4 to 64 KiB of the text. From then on the
// last lines are there without anything being decoded, any other part is decoded
// from the place before it, and a file that is read in order, on several cores.
//
// Some formats are easier: members, frames and blocks that stand alone are such
// places by themselves, and where they say how long they are, as those of zstd,
// bgzip, s2 and snappy do, the first pass decodes them on several cores too.
// bzip2 has none, and is decoded from its beginning; so has xz, unless it was
// written in blocks (xz -T does that). A seekable .zst has a table of its
// frames, with which any part is decoded before that pass.
//
// The last lines of a file of several members, frames or chunks are decoded from
// the last of these, before all of it ever was. They are checked by themselves
// then, and not as a part of the whole, so that [Verified] is false; if they turn
// out to be none, once all is decoded, reading them is an error. zstd frames
// without a checksum are not read so.
//
// Memory is bounded, whatever the file says of itself: some 60 MiB, and the
// window that a zstd frame demands, which is 128 MiB at most, or the dictionary
// of an xz block, 64 MiB at most, for each decoder that is under way.
//
// # Damage
//
// A file that ends too early or is damaged gives what could be decoded, and then
// a [DamageError]: it says where, and how much was found right by a checksum.
// What a wrong checksum is of is not given, unless it was before the checksum
// was seen: that is only where the checksum is of more than some megabytes.
// [Verified] tells whether all of a file was.
//
// A file that was decoded once and is damaged later gives an error where it is
// decoded again, and no wrong byte: what is read is checked against what was seen
// on the first pass.
package compressed
