#include "textflag.h"

// Only what every amd64 has. Where
// TZCNT is not known it is BSF, which does the same for what is not 0.

#define SPREAD(byte, reg) \
	MOVQ $(byte*0x0101010101010101), AX \
	MOVQ AX, reg \
	PUNPCKLQDQ reg, reg

// func surveySSE2(p *byte, n int, base uint32, ends *uint32) (count int, has uint32)
//
// n is a multiple of 64, and more than 0.
TEXT ·surveySSE2(SB), NOSPLIT, $0-44
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), BX
	MOVL base+16(FP), R8
	MOVQ ends+24(FP), DI
	MOVQ DI, R10
	SPREAD(0x0a, X15)
	SPREAD(0x0d, X14)
	PXOR    X8, X8   // or of all bytes
	PCMPEQB X9, X9   // least of all bytes
	PXOR    X10, X10 // where there was a CR

	PCALIGN $32
block:
	MOVOU (SI), X0
	MOVOU 16(SI), X1
	MOVOU 32(SI), X2
	MOVOU 48(SI), X3
	MOVO  X0, X4
	MOVO  X1, X5
	MOVO  X2, X6
	MOVO  X3, X7
	POR   X0, X8
	PMINUB X0, X9
	POR   X1, X8
	PMINUB X1, X9
	POR   X2, X8
	PMINUB X2, X9
	POR   X3, X8
	PMINUB X3, X9
	PCMPEQB X14, X4
	PCMPEQB X14, X5
	PCMPEQB X14, X6
	PCMPEQB X14, X7
	POR   X4, X5
	POR   X6, X7
	POR   X5, X10
	POR   X7, X10
	PCMPEQB X15, X0
	PCMPEQB X15, X1
	PCMPEQB X15, X2
	PCMPEQB X15, X3
	PMOVMSKB X0, AX
	PMOVMSKB X1, CX
	PMOVMSKB X2, DX
	PMOVMSKB X3, R9
	SHLQ  $16, CX
	SHLQ  $32, DX
	SHLQ  $48, R9
	ORQ   CX, AX
	ORQ   R9, DX
	ORQ   DX, AX

	// The first LF of the 64 bytes without a branch: whether there is one is
	// hard to foresee, and that there are several is rare.
	TZCNTQ AX, CX
	ADDL  R8, CX
	MOVL  CX, (DI)
	XORL  DX, DX
	TESTQ AX, AX
	SETNE DX
	LEAQ  (DI)(DX*4), DI
	LEAQ  -1(AX), R9
	ANDQ  R9, AX
	JNZ   more

next:
	ADDQ $64, SI
	ADDL $64, R8
	SUBQ $64, BX
	JNZ  block

	SUBQ DI, R10
	NEGQ R10
	SHRQ $2, R10
	MOVQ R10, count+32(FP)
	PXOR X0, X0
	PCMPEQB X0, X9
	PMOVMSKB X8, AX
	PMOVMSKB X9, CX
	PMOVMSKB X10, DX
	XORL  R8, R8
	XORL  R9, R9
	XORL  R11, R11
	TESTL AX, AX
	SETNE R8
	TESTL CX, CX
	SETNE R9
	TESTL DX, DX
	SETNE R11
	LEAL  (R8)(R9*2), R8
	LEAL  (R8)(R11*4), R8
	MOVL  R8, has+40(FP)
	RET

more:
	TZCNTQ AX, CX
	ADDL R8, CX
	MOVL CX, (DI)
	ADDQ $4, DI
	LEAQ -1(AX), R9
	ANDQ R9, AX
	JNZ  more
	JMP  next

// SIGNS leaves in upper which of 16 bytes are capitals, and in other which of
// them may stand beside a level in another way. See the Go code.
#define SIGNS(at, upper, other) \
	MOVOU at(R8), X0 \
	MOVOU (at-1)(R8), X1 \
	MOVOU (at+1)(R8), X2 \
	MOVO X0, X3 \
	MOVO X0, X4 \
	MOVO X0, X5 \
	MOVO X0, X6 \
	PADDB X15, X0 \
	PCMPGTB X14, X0 \
	PMOVMSKB X0, upper \
	PAND X13, X3 \
	PCMPEQB X12, X3 \
	PCMPEQB X11, X4 \
	PCMPEQB X10, X5 \
	PCMPEQB X9, X1 \
	PAND X1, X5 \
	PCMPEQB X8, X6 \
	PCMPEQB X8, X2 \
	PAND X2, X6 \
	POR X4, X3 \
	POR X6, X5 \
	POR X5, X3 \
	PMOVMSKB X3, other

// func signsSSE2(p *byte, ends *uint32, lines, chunks int, signs *uint32)
//
// lines and chunks are more than 0.
TEXT ·signsSSE2(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), SI
	MOVQ ends+8(FP), DI
	MOVQ lines+16(FP), BX
	MOVQ signs+32(FP), R10
	SPREAD(0x25, X15)
	SPREAD(0x65, X14)
	SPREAD(0x9f, X13)
	SPREAD(0x1d, X12)
	SPREAD(0x09, X11)
	SPREAD(0x3a, X10)
	SPREAD(0x22, X9)
	SPREAD(0x20, X8)
	MOVQ $0x7fffffff00000000, R13

	PCALIGN $32
line:
	MOVL (DI), R8
	ADDQ $4, DI
	LEAQ 1(SI)(R8*1), R8
	MOVQ chunks+24(FP), R11

chunk:
	SIGNS(0, AX, CX)
	SIGNS(16, DX, R9)
	SHLQ $16, DX
	SHLQ $16, R9
	ORQ  DX, AX
	ORQ  R9, CX
	// Runs of three capitals or more, by where they begin.
	LEAQ (AX)(AX*1), R9
	NOTQ R9
	ANDQ AX, R9
	ORQ  R13, AX
	SHRQ $1, AX
	ANDQ AX, R9
	SHRQ $1, AX
	ANDQ AX, R9
	ORQ  R9, CX
	MOVL CX, (R10)
	ADDQ $4, R10
	ADDQ $32, R8
	DECQ R11
	JNZ  chunk
	DECQ BX
	JNZ  line
	RET

// func levelsOf(p *byte, ends *uint32, lines int, signs *uint32, counts *[levels]int64, unknown *[lot]uint32) (longest int64, n int)
//
// lines is more than 0.
TEXT ·levelsOf(SB), NOSPLIT, $0-64
	MOVQ p+0(FP), SI
	MOVQ ends+8(FP), DI
	MOVQ signs+24(FP), R8
	MOVQ counts+32(FP), R10
	XORL R11, R11 // the longest
	LEAQ ·words(SB), R12
	LEAQ ·classes(SB), R13
	SPREAD(0x25, X15)
	SPREAD(0x65, X14)
	MOVQ $0x9e3779b97f4a7c15, AX
	MOVQ AX, X13
	XORL BX, BX // the number of the line
	XORL R9, R9 // how many are unknown
	MOVL (DI), DX
	INCQ DX // where the line begins

	PCALIGN $32
level:
	MOVL   4(DI)(BX*4), CX // where it ends
	MOVL   (R8), AX
	ADDQ   $4, R8
	ORL    $0x80000000, AX
	TZCNTL AX, AX
	ADDQ   DX, AX // where its first sign is
	MOVQ   CX, R14
	SUBQ   DX, CX // its length
	CMPQ   CX, R11
	CMOVQGT CX, R11
	CMPB   (SI)(DX*1), $0x7b // {
	SETEQ  CX
	MOVBLZX CX, R15
	LEAQ   1(R14), DX
	SUBQ   AX, R14
	SHRQ   $63, R14 // the sign is not in the line
	ORQ    R14, R15

	MOVQ     (SI)(AX*1), X0
	MOVQ     X0, R14
	PADDB    X15, X0
	PCMPGTB  X14, X0
	PMOVMSKB X0, CX
	NOTL     CX
	TZCNTL   CX, CX // how many capitals there are
	ADDQ     SI, AX
	MOVBLZX  -1(AX), SI
	ADDQ     CX, AX
	MOVBLZX  (AX), AX
	MOVBLZX  (R13)(SI*1), SI
	ORB      (R13)(AX*1), SI
	ANDL     $1, SI // inWord
	ORQ      SI, R15
	MOVQ     p+0(FP), SI

	LEAQ letters<>(SB), AX
	ANDQ (AX)(CX*8), R14
	MOVQ X13, AX
	IMULQ R14, AX
	SHRQ $58, AX
	SHLQ $4, AX
	XORQ (R12)(AX*1), R14
	MOVBLZX 8(R12)(AX*1), CX
	XORL AX, AX
	ORQ  R14, R15
	CMOVLNE AX, CX
	INCQ (R10)(CX*8)
	MOVQ unknown+40(FP), R14
	MOVL BX, (R14)(R9*4)
	TESTL CX, CX
	SETEQ AX // the rest of it is 0
	ADDQ AX, R9

	INCQ BX
	CMPQ BX, lines+16(FP)
	JLT  level
	MOVQ R11, longest+48(FP)
	MOVQ R9, n+56(FP)
	RET

DATA letters<>+0(SB)/8, $0
DATA letters<>+8(SB)/8, $0xff
DATA letters<>+16(SB)/8, $0xffff
DATA letters<>+24(SB)/8, $0xffffff
DATA letters<>+32(SB)/8, $0xffffffff
DATA letters<>+40(SB)/8, $0xffffffffff
DATA letters<>+48(SB)/8, $0xffffffffffff
DATA letters<>+56(SB)/8, $0xffffffffffffff
DATA letters<>+64(SB)/8, $0xffffffffffffffff
GLOBL letters<>(SB), RODATA|NOPTR, $72

// func validSSE2(p *byte, n int) bool
//
// Each byte is looked at together with the three before it, which decide what
// it may be. n is a multiple of 16, and more than 0; there are 3 bytes before p.
TEXT ·validSSE2(SB), NOSPLIT, $0-17
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), BX
	SPREAD(0xbf, X15)
	SPREAD(0xdf, X14)
	SPREAD(0xef, X13)
	SPREAD(0xc0, X12)
	SPREAD(0xa0, X11)
	SPREAD(0x90, X10)
	SPREAD(0xf4, X9)
	PXOR X8, X8 // not 0 where there is an error

	PCALIGN $32
step:
	MOVOU (SI), X0
	MOVOU -3(SI), X3
	MOVO  X0, X4
	POR   X3, X4
	PMOVMSKB X4, AX
	TESTL AX, AX
	JZ    passed // nothing but ASCII
	MOVOU -1(SI), X1
	MOVOU -2(SI), X2

	// What has to be a continuation, and what is one.
	MOVO    X1, X5
	PSUBUSB X15, X5
	PSUBUSB X14, X2
	PSUBUSB X13, X3
	POR     X2, X5
	POR     X3, X5
	PXOR    X6, X6
	PCMPEQB X6, X5 // it must not be one
	MOVO    X12, X4
	PCMPGTB X0, X4 // it is one
	PCMPEQB X4, X5
	POR     X5, X8

	// F5 to FF; C0 and C1.
	MOVO    X0, X5
	PSUBUSB X9, X5
	POR     X5, X8
	MOVO    X0, X5
	MOVO    X12, X7
	PCMPEQB X0, X7
	POR     X7, X8
	PSUBB   ones<>(SB), X5
	PCMPEQB X12, X5
	POR     X5, X8

	// The second byte after E0 is A0 or more, after ED less; after F0 it is 90
	// or more, after F4 less.
	MOVO    X11, X4
	PCMPGTB X0, X4 // less than A0
	MOVO    X10, X5
	PCMPGTB X0, X5 // less than 90
	MOVO    X1, X6
	PCMPEQB e0<>(SB), X6
	PAND    X4, X6
	POR     X6, X8
	MOVO    X1, X6
	PCMPEQB ed<>(SB), X6
	PANDN   X6, X4
	POR     X4, X8
	MOVO    X1, X6
	PCMPEQB f0<>(SB), X6
	PAND    X5, X6
	POR     X6, X8
	PCMPEQB X9, X1
	PANDN   X1, X5
	POR     X5, X8

passed:
	ADDQ $16, SI
	SUBQ $16, BX
	JNZ  step

	PXOR     X0, X0
	PCMPEQB  X0, X8
	PMOVMSKB X8, AX
	CMPL     AX, $0xffff
	SETEQ    ret+16(FP)
	RET

#define ALL16(name, v) \
	DATA name<>+0(SB)/8, $v \
	DATA name<>+8(SB)/8, $v \
	GLOBL name<>(SB), RODATA|NOPTR, $16

ALL16(ones, 0x0101010101010101)
ALL16(e0, 0xe0e0e0e0e0e0e0e0)
ALL16(ed, 0xedededededededed)
ALL16(f0, 0xf0f0f0f0f0f0f0f0)
