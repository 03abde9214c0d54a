import { downloadCases } from '#attacks/cases/downloads.ts'
import { attack } from './attack.ts'

attack(downloadCases)
