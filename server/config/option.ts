/** One row of the table of options. */

export type OptionType =
  | 'text'
  | 'language'
  | 'number'
  | 'flag'
  | 'size'
  | 'duration'
  | 'mode'
  | 'folderMode'
  | 'list'
  | 'paths'

export interface Option {
  key: string
  type: OptionType
  /** As an operator would write the value; absent means unset. */
  default?: string
  short?: string
  /** The placeholder in the help. */
  value?: string
  help: string
  /** Whether the option is changed while the server runs, and stored in the database. Others are startup options. */
  isLive: boolean
  /** Minimum and maximum of a number, a size in bytes, or a duration in seconds. */
  range?: readonly [number, number]
  choices?: readonly string[] | undefined
}
