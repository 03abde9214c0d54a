/** The checklist for the first administrator (docs/api.md 25). */
import { z } from 'zod'

export const firstStepsShape = z.object({
  isDue: z.boolean().meta({
    description: 'false after the checklist was dismissed, and for other users',
  }),
  changePassword: z.boolean().meta({ description: 'the password is still the generated one' }),
  addPeople: z.boolean().meta({ description: 'there are no other users yet, and users sign in' }),
  hosts: z.array(z.string()).meta({
    description: 'addresses at which other devices reach the server; empty if there are none',
  }),
})

export type FirstSteps = z.infer<typeof firstStepsShape>
