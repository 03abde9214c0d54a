import { ownFileCases } from '#attacks/cases/own-files.ts'
import { attack } from './attack.ts'

attack(ownFileCases, { stateInRoot: true })
