/** Only servers start again with an option of the engine. */
import { expect, test } from 'bun:test'
import { mayBeServer } from '#cli/engine-options.ts'
import { withCommand } from '#cli/program.ts'

test.each([
  ['serve', ['serve', '/srv']],
  ['options only', ['--port', '80']],
  ['a command', ['users', 'ls']],
  ['--help', ['--help']],
  ['-h', ['-h']],
  ['--version', ['--version']],
  ['-V', ['-V']],
])('the engine gets its option if the arguments start a server: %s', (_, args) => {
  expect(mayBeServer(args)).toBe(withCommand(args, { flags: {}, env: {} })[0] === 'serve')
})
