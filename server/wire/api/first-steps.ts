/** The checklist for the first administrator (docs/api.md 25). */
export interface FirstSteps {
  /** False after the checklist was dismissed, and for other users. */
  isDue: boolean
  /** The password is still the generated one. */
  changePassword: boolean
  /** There are no other users yet, and users sign in. */
  addPeople: boolean
  /** Addresses at which other devices reach the server; empty if there are none. */
  hosts: string[]
}
