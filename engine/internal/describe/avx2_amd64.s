#include "textflag.h"

// The same as in sse2_amd64.s, for processors that have AVX2.

#define SPREAD(byte, x, y) \
	MOVL $byte, AX \
	MOVQ AX, x \
	VPBROADCASTB x, y

// func surveyAVX2(p *byte, n int, base uint32, ends *uint32) (count int, has uint32)
TEXT ·surveyAVX2(SB), NOSPLIT, $0-44
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), BX
	MOVL base+16(FP), R8
	MOVQ ends+24(FP), DI
	MOVQ DI, R10
	SPREAD(0x0a, X15, Y15)
	SPREAD(0x0d, X14, Y14)
	VPXOR    Y8, Y8, Y8    // or of all bytes
	VPCMPEQB Y9, Y9, Y9    // least of all bytes
	VPXOR    Y10, Y10, Y10 // where there was a CR
	XORL     DX, DX

	PCALIGN $32
block:
	VMOVDQU   (SI), Y0
	VMOVDQU   32(SI), Y1
	VPOR      Y0, Y8, Y8
	VPMINUB   Y0, Y9, Y9
	VPCMPEQB  Y0, Y14, Y2
	VPCMPEQB  Y0, Y15, Y0
	VPOR      Y1, Y8, Y8
	VPMINUB   Y1, Y9, Y9
	VPCMPEQB  Y1, Y14, Y3
	VPCMPEQB  Y1, Y15, Y1
	VPOR      Y2, Y10, Y10
	VPOR      Y3, Y10, Y10
	VPMOVMSKB Y0, AX
	VPMOVMSKB Y1, CX
	SHLQ      $32, CX
	ORQ       CX, AX
	TZCNTQ    AX, CX
	ADDL      R8, CX
	MOVL      CX, (DI)
	XORL      DX, DX
	TESTQ     AX, AX
	SETNE     DX
	LEAQ      (DI)(DX*4), DI
	LEAQ      -1(AX), R9
	ANDQ      R9, AX
	JNZ       more

next:
	ADDQ $64, SI
	ADDL $64, R8
	SUBQ $64, BX
	JNZ  block

	SUBQ DI, R10
	NEGQ R10
	SHRQ $2, R10
	MOVQ R10, count+32(FP)
	VPXOR     Y0, Y0, Y0
	VPCMPEQB  Y0, Y9, Y9
	VPMOVMSKB Y8, AX
	VPMOVMSKB Y9, CX
	VPMOVMSKB Y10, DX
	VZEROUPPER
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
	ADDL   R8, CX
	MOVL   CX, (DI)
	ADDQ   $4, DI
	LEAQ   -1(AX), R9
	ANDQ   R9, AX
	JNZ    more
	JMP    next

// The classes of bytes, as the low and the high four bits have them in common:
// 80 blank, 40 quote, 20 colon, 01 and 02 capitals, 04 and 08 other signs.
DATA low<>+0(SB)/8, $0x0303030303430382
DATA low<>+8(SB)/8, $0x0101050101230b03
GLOBL low<>(SB), RODATA|NOPTR, $16
DATA high<>+0(SB)/8, $0x0400060124c00408
DATA high<>+8(SB)/8, $0
GLOBL high<>(SB), RODATA|NOPTR, $16

// func signsAVX2(p *byte, ends *uint32, lines, chunks int, signs *uint32)
TEXT ·signsAVX2(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), SI
	MOVQ ends+8(FP), DI
	MOVQ lines+16(FP), BX
	MOVQ signs+32(FP), R10
	VBROADCASTI128 low<>(SB), Y15
	VBROADCASTI128 high<>(SB), Y14
	SPREAD(0x0f, X13, Y13)
	SPREAD(0x03, X12, Y12)
	SPREAD(0x0c, X10, Y10)
	VPXOR Y11, Y11, Y11
	MOVQ  $0x7fffffff00000000, R13

	PCALIGN $32
line:
	MOVL (DI), R8
	ADDQ $4, DI
	LEAQ 1(SI)(R8*1), R8
	MOVQ chunks+24(FP), R11

chunk:
	VMOVDQU   (R8), Y0
	VPSHUFB   Y0, Y15, Y1
	VPSRLW    $4, Y0, Y0
	VPAND     Y13, Y0, Y0
	VPSHUFB   Y0, Y14, Y0
	VPAND     Y0, Y1, Y1
	VPMOVMSKB Y1, CX // blanks
	VPADDB    Y1, Y1, Y2
	VPMOVMSKB Y2, DX // quotes
	VPADDB    Y2, Y2, Y2
	VPMOVMSKB Y2, R9 // colons
	VPAND     Y1, Y12, Y2
	VPCMPEQB  Y2, Y11, Y2
	VPMOVMSKB Y2, AX // no capitals
	VPAND     Y1, Y10, Y1
	VPCMPEQB  Y1, Y11, Y1
	VPMOVMSKB Y1, R12 // none of the others

	// A colon behind a quote; before the chunk there may be one.
	LEAL 1(DX)(DX*1), DX
	ANDL R9, DX

	// A blank before a blank; behind the chunk there may be one.
	MOVQ CX, R9
	ORQ  R13, R9
	SHRQ $1, R9
	ANDL R9, CX
	ORL  DX, CX
	NOTL R12
	ORL  R12, CX

	// Runs of three capitals or more, by where they begin.
	NOTL AX
	LEAL (AX)(AX*1), R9
	NOTL R9
	ANDL AX, R9
	ORQ  R13, AX
	SHRQ $1, AX
	ANDQ AX, R9
	SHRQ $1, AX
	ANDQ AX, R9
	ORL  R9, CX
	MOVL CX, (R10)
	ADDQ $4, R10
	ADDQ $32, R8
	DECQ R11
	JNZ  chunk
	DECQ BX
	JNZ  line
	VZEROUPPER
	RET

#define ALL32(name, v) \
	DATA name<>+0(SB)/8, $v \
	DATA name<>+8(SB)/8, $v \
	DATA name<>+16(SB)/8, $v \
	DATA name<>+24(SB)/8, $v \
	GLOBL name<>(SB), RODATA|NOPTR, $32

ALL32(ones, 0x0101010101010101)
ALL32(e0, 0xe0e0e0e0e0e0e0e0)
ALL32(ed, 0xedededededededed)
ALL32(f0, 0xf0f0f0f0f0f0f0f0)

// func validAVX2(p *byte, n int) bool
//
// n is a multiple of 32.
TEXT ·validAVX2(SB), NOSPLIT, $0-17
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), BX
	SPREAD(0xbf, X15, Y15)
	SPREAD(0xdf, X14, Y14)
	SPREAD(0xef, X13, Y13)
	SPREAD(0xc0, X12, Y12)
	SPREAD(0xa0, X11, Y11)
	SPREAD(0x90, X10, Y10)
	SPREAD(0xf4, X9, Y9)
	VPXOR Y8, Y8, Y8 // not 0 where there is an error
	VPXOR Y7, Y7, Y7

	PCALIGN $32
step:
	VMOVDQU   (SI), Y0
	VMOVDQU   -3(SI), Y3
	VPOR      Y0, Y3, Y4
	VPMOVMSKB Y4, AX
	TESTL     AX, AX
	JZ        passed // nothing but ASCII
	VMOVDQU   -1(SI), Y1
	VMOVDQU   -2(SI), Y2

	// What has to be a continuation, and what is one.
	VPSUBUSB Y15, Y1, Y5
	VPSUBUSB Y14, Y2, Y2
	VPSUBUSB Y13, Y3, Y3
	VPOR     Y2, Y5, Y5
	VPOR     Y3, Y5, Y5
	VPCMPEQB Y7, Y5, Y5  // it must not be one
	VPCMPGTB Y0, Y12, Y4 // it is one
	VPCMPEQB Y4, Y5, Y5
	VPOR     Y5, Y8, Y8

	// F5 to FF; C0 and C1.
	VPSUBUSB Y9, Y0, Y5
	VPOR     Y5, Y8, Y8
	VPCMPEQB Y0, Y12, Y5
	VPOR     Y5, Y8, Y8
	VPSUBB   ones<>(SB), Y0, Y5
	VPCMPEQB Y12, Y5, Y5
	VPOR     Y5, Y8, Y8

	// The second byte after E0 is A0 or more, after ED less; after F0 it is 90
	// or more, after F4 less.
	VPCMPGTB Y0, Y11, Y4 // less than A0
	VPCMPGTB Y0, Y10, Y5 // less than 90
	VPCMPEQB e0<>(SB), Y1, Y6
	VPAND    Y4, Y6, Y6
	VPOR     Y6, Y8, Y8
	VPCMPEQB ed<>(SB), Y1, Y6
	VPANDN   Y6, Y4, Y4
	VPOR     Y4, Y8, Y8
	VPCMPEQB f0<>(SB), Y1, Y6
	VPAND    Y5, Y6, Y6
	VPOR     Y6, Y8, Y8
	VPCMPEQB Y9, Y1, Y6
	VPANDN   Y6, Y5, Y5
	VPOR     Y5, Y8, Y8

passed:
	ADDQ $32, SI
	SUBQ $32, BX
	JNZ  step

	VPTEST Y8, Y8
	SETEQ  ret+16(FP)
	VZEROUPPER
	RET

// func detectAVX2() bool
//
// It asks the processor, and whether the system keeps what it needs.
TEXT ·detectAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JLT  no
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x18000000, CX // OSXSAVE, AVX
	CMPL CX, $0x18000000
	JNE  no
	XORL CX, CX
	XGETBV
	ANDL $6, AX // XMM, YMM
	CMPL AX, $6
	JNE  no
	MOVL $7, AX
	XORL CX, CX
	CPUID
	SHRL $5, BX
	ANDL $1, BX
	MOVB BX, ret+0(FP)

no:
	RET
