import { downloadCases } from '#cli/attack/cases/downloads.ts'
import { attack } from './attack.ts'

attack(downloadCases)
