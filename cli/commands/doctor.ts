/** filemgr doctor: whether a set-up can be trusted. */
import type { Command } from 'commander'
import { playAttacks } from '#cli/attack/suite.ts'
import { Fault } from '#wire/fault.ts'
import type { Io } from '../io.ts'
import type { Flags } from '../options.ts'
import { ownProgram } from '../own-program.ts'

export function doctorCommand(program: Command, io: Io): void {
  program
    .command('doctor')
    .description('look whether this set-up can be trusted')
    .option('--attack', 'start a server on a temporary folder and play every known attack on it')
    .action(async (flags: Flags) => {
      if (flags.attack === true) await attack(io)
    })
    .addHelpText('after', '\nExample:\n  filemgr doctor --attack')
}

/** @throws Fault internal when an attack came through */
async function attack(io: Io): Promise<void> {
  const play = playAttacks(ownProgram())
  let [tried, through] = [0, 0]
  let next = await play.next()
  for (; !next.done; next = await play.next()) {
    const { one, breach } = next.value
    tried += 1
    if (breach !== undefined) through += 1
    io.out(`${one.id}  ${breach === undefined ? 'repelled' : 'CAME THROUGH'}  ${one.attack}`)
    if (breach !== undefined) io.out(`      ${breach}`)
  }
  io.out(
    `${tried} attacks in ${next.value} requests: ${tried - through} repelled, ${through} came through`,
  )
  if (through > 0) throw new Fault('internal', 'This server cannot be trusted. Please report it.')
}
