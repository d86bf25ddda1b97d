package outline

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
)

func (b *builder) golang() {
	problem := b.goDecls(b.src, 0)
	if problem == nil {
		return
	}
	// The parser skips much, or ends: each declaration is parsed alone.
	b.found = nil
	b.trouble(problem.Pos.Offset, problem.Msg)
	starts := append(goStarts(b.src), len(b.src))
	for i, start := range starts[:len(starts)-1] {
		if i%64 == 0 && b.ctx.Err() != nil {
			return
		}
		b.goDecls(slices.Concat([]byte(goHead), bytes.TrimRight(b.src[start:starts[i+1]], " \t\r\n")), start-len(goHead))
	}
}

const goHead = "package _\n" // on a line of its own: a comment beside it is above nothing

// goStarts returns where declarations begin, with what is directly above them,
// if they are formatted: at the beginning of a line.
func goStarts(src []byte) (starts []int) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	above, end := -1, 0 // where comments begin that end with a line, and where that line ends
	for {
		pos, tok, text := s.Scan()
		at := file.Offset(pos)
		first := at == 0 || src[at-1] == '\n'
		switch tok {
		case token.EOF:
			return starts
		case token.COMMENT:
			if !first {
				above = -1
				continue
			}
			if above < 0 || end != at {
				above = at
			}
			_, end = nextLine(src, at+len(text))
		case token.FUNC, token.TYPE, token.VAR, token.CONST:
			switch {
			case first && above >= 0 && end == at:
				starts = append(starts, above)
			case first:
				starts = append(starts, at)
			}
			above = -1
		default:
			if tok != token.SEMICOLON || text != "\n" {
				above = -1
			}
		}
	}
}

// goDecls adds the declarations in src, which begins at an offset of the file.
// It returns the first thing that is wrong.
func (b *builder) goDecls(src []byte, offset int) *scanner.Error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		return &scanner.Error{Msg: err.Error()}
	}
	at := func(p token.Pos) int {
		if tf := fset.File(p); tf != nil {
			return max(tf.Offset(p)+offset, 0)
		}
		return len(src) + offset
	}
	add := func(kind, name, receiver string, from, to ast.Node, doc *ast.CommentGroup) {
		if name == "_" {
			return
		}
		first := from.Pos()
		if doc != nil {
			first = doc.Pos()
		}
		i := b.add(kind, name, -1, at(first), min(at(to.End()), len(src)+offset)-1)
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
	var errs scanner.ErrorList
	if errors.As(err, &errs) {
		return errs[0]
	}
	return nil
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
