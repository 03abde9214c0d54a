import { createContext } from 'react'

/** Attributes that a `Field` gives to the `Input` or `TextArea` in it. */
export const FieldControl = createContext<{
  'aria-labelledby'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}>({})
