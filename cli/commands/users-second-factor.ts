/** filemgr users reset-second-factor: for a user who has lost the phone and the recovery codes. */
import type { Command } from 'commander'
import { Fault } from '#wire/fault.ts'
import { recordChange } from '../audit.ts'
import { withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'

export function resetSecondFactor(users: Command, io: Io): void {
  const reset = users
    .command('reset-second-factor')
    .description(
      'remove the second factor of a user with all passkeys, and end the sessions of this user',
    )
    .argument('<user>', 'name or id')
    .action((nameOrId: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const { id, username } = await core.users.getByNameOrId(nameOrId)
        if (!(await core.secondFactors.remove(id))) {
          throw new Fault('conflict', `The user ${username} has no second factor.`)
        }
        await core.sessions.endAll(id)
        await recordChange(core, 'removeSecondFactor', { users: [username] })
        io.out(`The password is enough to sign in as ${username} now.`)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr users reset-second-factor anna')
  addOptions(reset, isLocationOption, io)
}
