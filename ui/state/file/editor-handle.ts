/** The interface of the editor for the store of the text. */
export interface EditorHandle {
  /** @returns the current text; `markSaved` marks this text as saved, even if more was typed since */
  snapshot(): { text: string; markSaved(): void }
  /** Replaces the text by one from the server; undo restores the replaced one. */
  show(text: string): void
  /** From now on each text counts as unsaved, until `markSaved`. */
  markUnsaved(): void
  find(): void
  goToLine(): void
}
