import type { ComponentProps } from 'react'
import { classNames } from '#ui/lib/class-names.ts'
import './Card.css'

/** A box with a border, a shadow and the colour of a surface: a small dialog, or a part of a page. */
export function Card({ className, ...native }: ComponentProps<'div'>) {
  return <div {...native} className={classNames('Card', className)} />
}
