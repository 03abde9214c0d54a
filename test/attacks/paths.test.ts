import { pathCases } from '#attacks/cases/paths.ts'
import { attack } from './attack.ts'

attack(pathCases)
