package corpus

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// A new exported name is a decision: it is entered here.
func TestAPI(t *testing.T) {
	want := []string{"About", "File", "Grow", "Kind", "Kinds", "Lines", "Write"}
	var got []string
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && !receiverExported(d) {
					continue
				}
				got = append(got, exported(t, d.Name, d.Doc)...)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						got = append(got, exported(t, s.Name, d.Doc)...)
					case *ast.ValueSpec:
						for _, name := range s.Names {
							got = append(got, exported(t, name, d.Doc)...)
						}
					}
				}
			}
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("exported: %v, want %v", got, want)
	}
}

func receiverExported(d *ast.FuncDecl) bool {
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	name, ok := of.(*ast.Ident)
	return ok && name.IsExported()
}

func exported(t *testing.T, name *ast.Ident, doc *ast.CommentGroup) []string {
	if !name.IsExported() {
		return nil
	}
	if doc == nil {
		t.Errorf("%s has no doc comment", name)
	}
	return []string{name.Name}
}
