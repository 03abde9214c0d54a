import { uploadCases } from '#attacks/cases/uploads.ts'
import { attack } from './attack.ts'

attack(uploadCases)
