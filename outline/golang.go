package outline

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
)

func (b *builder) golang(name string) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, b.src, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
	at := func(p token.Pos) int {
		if tf := fset.File(p); tf != nil {
			return tf.Offset(p)
		}
		return len(b.src)
	}
	var errs scanner.ErrorList
	if errors.As(err, &errs) {
		b.trouble(errs[0].Pos.Offset, errs[0].Msg)
	}
	if file == nil {
		return
	}
	add := func(kind, name, receiver string, from, to ast.Node, doc *ast.CommentGroup) {
		if name == "_" {
			return
		}
		first := from.Pos()
		if doc != nil {
			first = doc.Pos()
		}
		i := b.add(kind, name, -1, at(first), at(to.End())-1)
		if i >= 0 {
			b.found[i].receiver = receiver
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add("function", d.Name.Name, "", d, d, d.Doc)
			} else {
				add("method", d.Name.Name, receiver(d.Recv), d, d, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				// Without brackets, the declaration is the spec, and has its comment.
				from, doc := ast.Node(spec), d.Doc
				if d.Lparen.IsValid() {
					doc = nil
				} else {
					from = d
				}
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if doc == nil {
						doc = s.Doc
					}
					add(kindOf(s.Type), s.Name.Name, "", from, s, doc)
				case *ast.ValueSpec:
					if doc == nil {
						doc = s.Doc
					}
					for _, n := range s.Names {
						add(d.Tok.String(), n.Name, "", from, s, doc)
					}
				}
			}
		}
	}
}

func kindOf(t ast.Expr) string {
	switch t.(type) {
	case *ast.StructType:
		return "struct"
	case *ast.InterfaceType:
		return "interface"
	}
	return "type"
}

// receiver returns the name of a method's type.
func receiver(list *ast.FieldList) string {
	if len(list.List) == 0 {
		return "" // broken
	}
	t := list.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return clean(x.Name)
		default:
			return ""
		}
	}
}
