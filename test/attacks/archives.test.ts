import { archiveCases } from '#attacks/cases/archives.ts'
import { attack } from './attack.ts'

attack(archiveCases)
