import { resourceCases } from '#attacks/cases/resources.ts'
import { attack } from './attack.ts'

attack(resourceCases)
