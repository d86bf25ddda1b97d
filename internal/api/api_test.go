// Package api holds a golden list of what the module exports: a new name is a
// decision, and is seen in the change that makes it.
package api

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata/api.txt")

// root is the module's folder, seen from here.
var root = filepath.Join("..", "..")

func TestAPI(t *testing.T) {
	var got bytes.Buffer
	for _, dir := range packages(t) {
		list(t, &got, dir)
	}
	golden := filepath.Join("testdata", "api.txt")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("the exported names are not those of %s; if they should be, run this test with -update:\n%s", golden, diff)
	}
}

// packages returns the folders, from root, of the packages that others can
// import.
func packages(t *testing.T) (dirs []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case d.Name() == "internal", d.Name() == "cmd", d.Name() == "testdata", path == "bench", path == "profiles", strings.HasPrefix(d.Name(), ".") && path != ".":
			return fs.SkipDir
		}
		if sources, _ := filepath.Glob(filepath.Join(root, path, "*.go")); len(sources) > 0 {
			dirs = append(dirs, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// list writes the exported names of a package, and complains of those without
// a comment, and of functions without an Example.
func list(t *testing.T, out *bytes.Buffer, dir string) {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(fset, files, "excerpt/"+filepath.ToSlash(dir))
	if err != nil {
		t.Fatal(err)
	}
	if pkg.Doc == "" {
		t.Errorf("package %s has no comment", dir)
	}
	show := func(indent, name, comment string, node any) {
		if comment == "" {
			t.Errorf("%s: %s has no comment", dir, name)
		}
		fmt.Fprintf(out, "%s%s\n", indent, source(fset, node))
	}
	function := func(indent string, f *doc.Func) {
		f.Decl.Doc, f.Decl.Body = nil, nil
		show(indent, f.Name, f.Doc, f.Decl)
		if len(f.Examples) == 0 && !ofInterface(f) {
			t.Errorf("%s: %s%s has no Example", dir, f.Recv, f.Name)
		}
	}
	values := func(indent string, groups []*doc.Value) {
		for _, g := range groups {
			for _, name := range g.Names {
				if ast.IsExported(name) {
					show(indent, name, g.Doc+specComment(g.Decl, name), g.Decl.Tok.String()+" "+name)
				}
			}
		}
	}
	fmt.Fprintf(out, "package %s\n", dir)
	values("\t", pkg.Consts)
	values("\t", pkg.Vars)
	for _, f := range pkg.Funcs {
		function("\t", f)
	}
	for _, typ := range pkg.Types {
		spec := typ.Decl.Specs[0].(*ast.TypeSpec)
		if s, ok := spec.Type.(*ast.StructType); ok {
			show("\t", typ.Name, typ.Doc, "type "+typ.Name+" struct")
			for _, field := range s.Fields.List {
				for _, name := range field.Names {
					fmt.Fprintf(out, "\t\t%s %s\n", name.Name, source(fset, field.Type))
				}
			}
		} else {
			show("\t", typ.Name, typ.Doc, "type "+typ.Name+" "+source(fset, spec.Type))
		}
		values("\t\t", typ.Consts)
		values("\t\t", typ.Vars)
		for _, f := range typ.Funcs {
			function("\t\t", f)
		}
		for _, f := range typ.Methods {
			function("\t\t", f)
		}
	}
}

// ofInterface reports whether a method's name says all: it is there to make its
// type an error or a Stringer.
func ofInterface(f *doc.Func) bool {
	switch f.Name {
	case "Error", "Is", "Unwrap", "String":
		return f.Recv != ""
	}
	return false
}

// specComment returns the comment of a constant or variable in a group.
func specComment(decl *ast.GenDecl, name string) string {
	for _, spec := range decl.Specs {
		v := spec.(*ast.ValueSpec)
		for _, n := range v.Names {
			if n.Name == name {
				return v.Doc.Text() + v.Comment.Text()
			}
		}
	}
	return ""
}

func source(fset *token.FileSet, node any) string {
	if s, ok := node.(string); ok {
		return s
	}
	var b bytes.Buffer
	if err := printer.Fprint(&b, fset, node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
