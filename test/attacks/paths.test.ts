import { pathCases } from '#cli/attack/cases/paths.ts'
import { attack } from './attack.ts'

attack(pathCases)
