// Package bench has benchmarks of every operation of the engine, of its parts
// and of the read_file tool, over corpora of all kinds.
//
//	go test ./bench -bench Engine/Tail
//	go test ./bench -bench Engine/.*/kind=app -sizes 4GiB,16GiB
//	go test ./bench -bench Cold -sizes 1GiB
//	go test ./bench -bench Compressed/gzip/again/Tail
//
// What each finds is compared with what a plain pass over the corpus has found
// before it is timed. Beside the time stand allocations, the bytes that it
// touches and the blocks that it reads them in. Corpora are made in
// bench/data and stay there.
//
// The figures beside other programs, and what is published, are those of
// bench/peers.
package bench
