import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { IconButton } from '../../../ui/Button.tsx'
import { Select } from '../../../ui/fields/Field.tsx'
import { SearchField } from '../../../ui/fields/SearchField.tsx'
import { startsDescending, type Filter, type Sort } from '../model/filters.ts'
import css from './List.module.css'

interface Props {
  readonly filter: Filter
  readonly tags: readonly { readonly tag: string; readonly count: number }[]
  readonly onFilter: (filter: Filter) => void
}

const SORTS: readonly { readonly value: Sort; readonly label: string }[] = [
  { value: 'created', label: 'When created' },
  { value: 'name', label: 'Name' },
  { value: 'rows', label: 'Rows' },
  { value: 'size', label: 'Size' },
]

/** If there are more tags, the others are only in the select. */
const CHIPS = 8

export function FilterBar({ filter, tags, onFilter }: Props) {
  const toggle = (tag: string): void =>
    onFilter({
      ...filter,
      tags: filter.tags.includes(tag) ? filter.tags.filter((other) => other !== tag) : [...filter.tags, tag],
    })
  const order = filter.descending ? 'Descending' : 'Ascending'
  return (
    <search className={css.tools} aria-label="Datasets">
      <SearchField
        label="Search datasets"
        placeholder="Search names, tables, tags"
        className={css.search}
        value={filter.search}
        onChange={(search) => onFilter({ ...filter, search })}
      />
      <Select
        aria-label="Who can read them"
        className={css.select}
        value={filter.visibility}
        options={[
          { value: 'all', label: 'Private and public' },
          { value: 'private', label: 'Private' },
          { value: 'public', label: 'Public' },
        ]}
        onChange={(visibility) => onFilter({ ...filter, visibility })}
      />
      <div className={css.sort}>
        <Select
          aria-label="Sort by"
          className={css.select}
          value={filter.sort}
          options={SORTS}
          onChange={(sort) => onFilter({ ...filter, sort, descending: startsDescending(sort) })}
        />
        <IconButton
          look="secondary"
          label={`${order}: reverse the order`}
          onClick={() => onFilter({ ...filter, descending: !filter.descending })}
        >
          {filter.descending ? <ArrowDown aria-hidden /> : <ArrowUp aria-hidden />}
        </IconButton>
      </div>
      {tags.length > 0 ? <TagFilter chosen={filter.tags} tags={tags} onToggle={toggle} /> : null}
    </search>
  )
}

interface TagProps {
  readonly chosen: readonly string[]
  readonly tags: Props['tags']
  readonly onToggle: (tag: string) => void
}

function TagFilter({ chosen, tags, onToggle }: TagProps) {
  const others = tags.slice(CHIPS).filter(({ tag }) => !chosen.includes(tag))
  const chips = tags.filter(({ tag }, i) => i < CHIPS || chosen.includes(tag))
  return (
    <fieldset className={css.tags}>
      <legend className="visually-hidden">Tags</legend>
      {chips.map(({ tag, count }) => (
        <button
          key={tag}
          type="button"
          className={css.chip}
          aria-pressed={chosen.includes(tag)}
          aria-label={`Tag ${tag}, ${count}`}
          onClick={() => onToggle(tag)}
        >
          {tag}
          <span>{count}</span>
        </button>
      ))}
      {others.length > 0 ? (
        <Select
          compact
          aria-label="Other tags"
          className={css.more}
          value=""
          options={[
            { value: '', label: `${others.length} more…` },
            ...others.map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` })),
          ]}
          onChange={(tag) => (tag ? onToggle(tag) : undefined)}
        />
      ) : null}
    </fieldset>
  )
}
