import { resourceCases } from '#cli/attack/cases/resources.ts'
import { attack } from './attack.ts'

attack(resourceCases)
