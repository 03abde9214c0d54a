import { commandCases, WITH_COMMANDS } from '#cli/attack/cases/commands.ts'
import { attack } from './attack.ts'

attack(commandCases, { words: WITH_COMMANDS })
