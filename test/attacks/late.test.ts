import { lateCases } from '#attacks/cases/late.ts'
import { attack } from './attack.ts'

attack(lateCases)
