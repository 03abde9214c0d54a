import { commandCases, WITH_COMMANDS } from '#attacks/cases/commands.ts'
import { attack } from './attack.ts'

attack(commandCases, { args: WITH_COMMANDS })
