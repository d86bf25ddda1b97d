#include "textflag.h"

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

// A level begins with one of twelve groups of three letters, in eight sets:
//
//	01 PAN FAT, 02 ERR EME, 04 TRA CRI, 08 SEV DEB, 10 NOT, 20 INF, 40 WAR, 80 ALE
//
// The sets that the low four bits of a first, second and third letter can be
// of, and the high four bits. These are 4 and 6 or 5 and 7: in any case.
DATA low0<>+0(SB)/8, $0x4001020c0c008001
DATA low0<>+8(SB)/8, $0x0010000000002000
GLOBL low0<>(SB), RODATA|NOPTR, $16
DATA high0<>+0(SB)/8, $0x4dbf4dbf00000000
DATA high0<>+8(SB)/8, $0x0000000000000000
GLOBL high0<>(SB), RODATA|NOPTR, $16
DATA low1<>+0(SB)/8, $0x0000080000064100
DATA low1<>+8(SB)/8, $0x1020028000000000
GLOBL low1<>(SB), RODATA|NOPTR, $16
DATA high1<>+0(SB)/8, $0x06fb06fb00000000
DATA high1<>+8(SB)/8, $0x0000000000000000
GLOBL high1<>(SB), RODATA|NOPTR, $16
DATA low2<>+0(SB)/8, $0x00288211004a0400
DATA low2<>+8(SB)/8, $0x0001000000000400
GLOBL low2<>(SB), RODATA|NOPTR, $16
DATA high2<>+0(SB)/8, $0x5baf5baf00000000
DATA high2<>+8(SB)/8, $0x0000000000000000
GLOBL high2<>(SB), RODATA|NOPTR, $16

#define LETTER(at, low, high, y, t) \
	VMOVDQU at(R8), y \
	VPSHUFB y, low, t \
	VPSRLW  $4, y, y \
	VPAND   Y9, y, y \
	VPSHUFB y, high, y \
	VPAND   y, t, y

// func signsAVX2(p *byte, ends *uint32, lines, chunks int, signs *uint32)
TEXT ·signsAVX2(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), SI
	MOVQ ends+8(FP), DI
	MOVQ lines+16(FP), BX
	MOVQ signs+32(FP), R10
	VBROADCASTI128 low0<>(SB), Y15
	VBROADCASTI128 high0<>(SB), Y14
	VBROADCASTI128 low1<>(SB), Y13
	VBROADCASTI128 high1<>(SB), Y12
	VBROADCASTI128 low2<>(SB), Y11
	VBROADCASTI128 high2<>(SB), Y10
	SPREAD(0x0f, X9, Y9)
	VPXOR Y8, Y8, Y8

	PCALIGN $32
line:
	MOVL (DI), R8
	ADDQ $4, DI
	LEAQ 1(SI)(R8*1), R8
	MOVQ chunks+24(FP), R11

chunk:
	LETTER(0, Y15, Y14, Y0, Y3)
	LETTER(1, Y13, Y12, Y1, Y4)
	LETTER(2, Y11, Y10, Y2, Y5)
	VPAND     Y1, Y0, Y0
	VPAND     Y2, Y0, Y0
	VPCMPEQB  Y8, Y0, Y0
	VPMOVMSKB Y0, AX
	NOTL AX
	MOVL AX, (R10)
	ADDQ $4, R10
	ADDQ $32, R8
	DECQ R11
	JNZ  chunk
	DECQ BX
	JNZ  line
	VZEROUPPER
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
	LEAQ ·inWord(SB), R13
	MOVQ $0x2525252525252525, AX
	MOVQ AX, X15
	MOVQ $0x6565656565656565, AX
	MOVQ AX, X14
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
