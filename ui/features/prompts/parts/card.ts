import type { AnswerOf, PromptName, QuestionOf } from '#ui/state/dialogs/prompts.ts'

/** The props of every card: its question, and the callbacks that answer or cancel it. */
export interface CardProps<Name extends PromptName> {
  question: QuestionOf<Name>
  onAnswer(answer: AnswerOf<Name>): void
  onCancel(): void
}
