import { jailCases, WITH_FEW_PROCESSES } from '#cli/attack/cases/jail.ts'
import { attack } from './attack.ts'

attack(jailCases, { words: WITH_FEW_PROCESSES })
