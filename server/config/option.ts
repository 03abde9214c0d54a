/** One row of the table of options. */

export type OptionType =
  | 'text'
  | 'language'
  | 'number'
  | 'flag'
  | 'size'
  | 'duration'
  | 'mode'
  | 'words'

export interface Option {
  key: string
  type: OptionType
  /** As a person would write it; absent means unset. */
  default?: string
  short?: string
  /** Shown in help in place of a value. */
  value?: string
  help: string
  owner: 'boot' | 'live'
  /** The least and the most a number may be. */
  range?: readonly [number, number]
  choices?: readonly string[] | undefined
}
