import { floodCases, WITH_SHORT_SILENCE } from '#attacks/cases/floods.ts'
import { attack } from './attack.ts'

attack(floodCases, { args: WITH_SHORT_SILENCE })
