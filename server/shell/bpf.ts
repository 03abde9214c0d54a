/** Classic BPF as seccomp(2) reads it: instructions, and the blocks that a filter is made of. */
import { type CallName, numberOf } from '#server/os/call-numbers.ts'

export type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

export const LOAD = 0x20
export const AND = 0x54
export const JUMP_EQUAL = 0x15
export const JUMP_AT_LEAST = 0x35
const JUMP_ANY_BIT = 0x45
export const RETURN = 0x06

/** Where seccomp puts what a filter looks at. */
export const AT_NUMBER = 0
export const AT_ARCHITECTURE = 4

export const ALLOW = 0x7fff0000
export const KILL = 0x80000000
/** Answers, with the errno in the lower half. */
const EPERM = 0x00050001
const ENOSYS = 0x00050026

/** The call fails with EPERM. */
export function refuse(name: CallName): Instruction[] {
  return when(name, [refused])
}

/** The call fails with ENOSYS, so that a library takes the older call in its place. */
export function unknown(name: CallName): Instruction[] {
  return when(name, [[RETURN, 0, 0, ENOSYS]])
}

/** The call fails unless each of these arguments has the value beside it. */
export function refuseUnless(name: CallName, ...wanted: [index: number, value: number][]) {
  return when(
    name,
    wanted.flatMap(([index, value]): Instruction[] => [
      [LOAD, 0, 0, argument(index)],
      [JUMP_EQUAL, 1, 0, value],
      refused,
    ]),
  )
}

/** The call fails if the argument has any of these bits; only where another has any of `given`. */
export function refuseBits(
  name: CallName,
  index: number,
  bits: number,
  where?: { index: number; bits: number },
): Instruction[] {
  const test: Instruction[] = [[LOAD, 0, 0, argument(index)], [JUMP_ANY_BIT, 0, 1, bits], refused]
  if (!where) return when(name, test)
  return when(name, [
    [LOAD, 0, 0, argument(where.index)],
    [JUMP_ANY_BIT, 0, test.length, where.bits],
    ...test,
  ])
}

/** Runs `block` for one call; afterwards the call's number is loaded again. */
export function when(name: CallName, block: Instruction[]): Instruction[] {
  const number = numberOf(name)
  if (number < 0) return []
  return [[JUMP_EQUAL, 0, block.length + 1, number], ...block, [LOAD, 0, 0, AT_NUMBER]]
}

/** Where the lower half of an argument lies. */
export function argument(index: number): number {
  return 16 + index * 8
}

export const refused: Instruction = [RETURN, 0, 0, EPERM]

/** The program as the kernel reads it. */
export function assemble(program: readonly Instruction[]): DataView {
  const code = new DataView(new ArrayBuffer(program.length * 8))
  for (const [index, [operation, ifTrue, ifFalse, value]] of program.entries()) {
    code.setUint16(index * 8, operation, true)
    code.setUint8(index * 8 + 2, ifTrue)
    code.setUint8(index * 8 + 3, ifFalse)
    code.setUint32(index * 8 + 4, value, true)
  }
  return code
}
