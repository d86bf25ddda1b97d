package compressed_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"excerpt/engine"
	"excerpt/engine/compressed"
)

// gzipped returns some lines in gzip's format.
func gzipped() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for i := range 1000 {
		fmt.Fprintf(w, "line %d\n", i+1)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}

// sampleFile makes a file of b in a folder that cleanup removes.
func sampleFile(b []byte) (path string, cleanup func()) {
	dir, err := os.MkdirTemp("", "example-*")
	if err != nil {
		log.Fatal(err)
	}
	path = filepath.Join(dir, "app.log.1.gz")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		log.Fatal(err)
	}
	return path, func() { _ = os.RemoveAll(dir) }
}

func ExampleOpen() {
	path, cleanup := sampleFile(gzipped())
	defer cleanup()

	f, err := compressed.Open(path, &engine.Options{Cache: engine.NoCache})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	last, err := f.Tail(context.Background(), 2)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := last.WriteNumbered(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 999: line 999
	// 1000: line 1000
}

func ExampleConvert() {
	path, cleanup := sampleFile(gzipped()) // app.log.1.gz
	defer cleanup()
	ctx := context.Background()
	f, err := compressed.Open(path, &engine.Options{Cache: engine.NoCache})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	info, err := os.Stat(path)
	if err != nil {
		log.Fatal(err)
	}

	name := filepath.Join(filepath.Dir(path), "app.log.1.zst")
	n, err := compressed.Convert(ctx, f, name, &compressed.ConvertOptions{Like: info, Cache: engine.NoCache})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "bytes")

	z, err := compressed.Open(name, &engine.Options{Cache: engine.NoCache})
	if err != nil {
		log.Fatal(err)
	}
	defer z.Close()
	fmt.Println(compressed.FormatOf(z))
	_, err = compressed.Convert(ctx, f, name, nil)
	fmt.Println(errors.Is(err, fs.ErrExist))
	// Output:
	// 8893 bytes
	// zstd
	// true
}

func ExampleVerified() {
	path, cleanup := sampleFile(gzipped())
	defer cleanup()
	f, err := compressed.Open(path, &engine.Options{Cache: engine.NoCache})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	before := compressed.Verified(f)
	if _, err := f.Count(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(before, compressed.Verified(f))
	// Output: false true
}

func ExampleFormatOf() {
	path, cleanup := sampleFile(gzipped())
	defer cleanup()
	f, err := compressed.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(compressed.FormatOf(f))
	// Output: gzip
}

func ExampleDetect() {
	fmt.Println(compressed.Detect([]byte("\x28\xb5\x2f\xfd")))
	fmt.Println(compressed.Detect([]byte("2026-11-30 INFO started")))
	// Output:
	// zstd
	// plain
}

func ExampleFormat_String() {
	fmt.Println(compressed.Bzip2)
	// Output: bzip2
}

func ExampleDamageError() {
	whole := gzipped()
	path, cleanup := sampleFile(whole[:len(whole)/2])
	defer cleanup()
	f, err := compressed.Open(path, &engine.Options{Cache: engine.NoCache})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()

	_, err = f.Tail(context.Background(), 10)
	var damage *compressed.DamageError
	fmt.Println(errors.Is(err, compressed.ErrDamaged), errors.As(err, &damage))
	fmt.Println(damage.Compressed == int64(len(whole)/2), damage.Decoded > 0, damage.Verified, damage.Err)
	// Output:
	// true true
	// true true 0 unexpected EOF
}

// What lies before a damage is a file of its own.
func ExampleDamageError_Readable() {
	whole := gzipped()
	path, cleanup := sampleFile(whole[:len(whole)/2])
	defer cleanup()
	f, err := compressed.Open(path, &engine.Options{Cache: engine.NoCache})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()

	_, err = f.Count(context.Background())
	var damage *compressed.DamageError
	if !errors.As(err, &damage) {
		log.Fatal(err)
	}
	bytes, verified := damage.Readable()
	before := engine.New(path, f, bytes, nil)
	lines, err := before.Count(context.Background())
	fmt.Println(lines > 0, verified, err)
	// Output: true 0 <nil>
}

func ExampleDamageError_Error() {
	err := &compressed.DamageError{Format: compressed.Gzip, Compressed: 4711, Decoded: 30000, Verified: 20000, Err: errors.New("wrong checksum")}
	fmt.Println(err)
	// Output: damaged gzip at offset 4711, after 30000 decoded bytes, of which 20000 are verified: wrong checksum
}

func ExampleDamageError_Is() {
	fmt.Println(errors.Is(new(compressed.DamageError), compressed.ErrDamaged))
	// Output: true
}

func ExampleDamageError_Unwrap() {
	reason := errors.New("wrong checksum")
	fmt.Println(errors.Is(&compressed.DamageError{Err: reason}, reason))
	// Output: true
}
