import { jailCases, WITH_FEW_PROCESSES } from '#attacks/cases/jail.ts'
import { attack } from './attack.ts'

attack(jailCases, { args: WITH_FEW_PROCESSES })
