/** filemgr hash: prints the hash of a password, for `--password-hash`. */
import type { Command } from 'commander'
import { hashPassword } from '#server/accounts/credentials/passwords.ts'
import { Fault } from '#wire/fault.ts'
import type { Io } from '../io.ts'

export function hashCommand(program: Command, io: Io): void {
  program
    .command('hash')
    .description(
      'print the hash of a password, which is read from standard input if it is not an argument',
    )
    .argument('[password]')
    .action(async (password: string | undefined) => {
      const plain = password ?? (await io.newPassword())
      if (plain === '') throw new Fault('badRequest', 'The password is empty.')
      io.out(await hashPassword(plain))
    })
    .addHelpText('after', '\nExample:\n  echo "$PASSWORD" | filemgr hash')
}
