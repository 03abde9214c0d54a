/** A row of information about an entry. */
export interface InfoItem {
  /** The label: "Size". */
  term: string
  text: string
  /** The full value, for the tooltip. */
  title?: string
}
