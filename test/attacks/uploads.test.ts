import { uploadCases } from '#cli/attack/cases/uploads.ts'
import { attack } from './attack.ts'

attack(uploadCases)
