/** Something there is to say of a thing. */
export interface InfoItem {
  /** What it is about: "Size". */
  term: string
  text: string
  /** The same in full, for the tooltip. */
  title?: string
}
