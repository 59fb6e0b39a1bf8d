import css from './Points.module.css'

interface PointsProps {
  /** The level of their headings. */
  readonly heading: 'h2' | 'h3'
  readonly points: readonly { readonly title: string; readonly text: string }[]
}

/** What a screen is for, in three points beside each other. */
export function Points({ heading: Heading, points }: PointsProps) {
  return (
    <ol className={css.points}>
      {points.map(({ title, text }) => (
        <li key={title}>
          <Heading className={css.title}>{title}</Heading>
          <p className={css.text}>{text}</p>
        </li>
      ))}
    </ol>
  )
}
