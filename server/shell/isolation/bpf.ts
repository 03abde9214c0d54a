/** Classic BPF for seccomp(2): instructions and building blocks of a filter. */
import { type CallName, numberOf } from '#server/os/call-numbers.ts'

/** The jumps say how many instructions to skip. */
export type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

export const LOAD = 0x20
export const AND = 0x54
export const JUMP_EQUAL = 0x15
export const JUMP_AT_LEAST = 0x35
const JUMP_ANY_BIT = 0x45
export const RETURN = 0x06

/** Offsets in struct seccomp_data. */
export const AT_NUMBER = 0
export const AT_ARCHITECTURE = 4

export const ALLOW = 0x7fff0000
export const KILL = 0x80000000
/** Return values with the errno in the lower half. */
const EPERM = 0x00050001
const ENOSYS = 0x00050026

/** Fails the call with EPERM. */
export function refuse(name: CallName): Instruction[] {
  return forCall(name, [REFUSE])
}

/** Fails the call with ENOSYS, so that libraries use the older call. */
export function failAsUnknown(name: CallName): Instruction[] {
  return forCall(name, [[RETURN, 0, 0, ENOSYS]])
}

/** Fails the call unless each argument has the given value. */
export function refuseUnless(name: CallName, ...allowed: [index: number, value: number][]) {
  return forCall(
    name,
    allowed.flatMap(([index, value]): Instruction[] => [
      [LOAD, 0, 0, argument(index)],
      [JUMP_EQUAL, 1, 0, value],
      REFUSE,
    ]),
  )
}

/** Fails the call if the argument has any of `bits`; with `onlyIf` only if that argument has any of its bits, too. */
export function refuseBits(
  name: CallName,
  index: number,
  bits: number,
  onlyIf?: { index: number; bits: number },
): Instruction[] {
  const test: Instruction[] = [[LOAD, 0, 0, argument(index)], [JUMP_ANY_BIT, 0, 1, bits], REFUSE]
  if (!onlyIf) return forCall(name, test)
  return forCall(name, [
    [LOAD, 0, 0, argument(onlyIf.index)],
    [JUMP_ANY_BIT, 0, test.length, onlyIf.bits],
    ...test,
  ])
}

/** Runs `block` for one call; afterwards the call's number is loaded again. */
export function forCall(name: CallName, block: Instruction[]): Instruction[] {
  const number = numberOf(name)
  if (number < 0) return []
  return [[JUMP_EQUAL, 0, block.length + 1, number], ...block, [LOAD, 0, 0, AT_NUMBER]]
}

/** The offset of the lower half of an argument. */
export function argument(index: number): number {
  return 16 + index * 8
}

export const REFUSE: Instruction = [RETURN, 0, 0, EPERM]

/** The program in the kernel's format. */
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
