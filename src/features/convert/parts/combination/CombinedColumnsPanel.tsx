import { Button } from '../../../../ui/Button.tsx'
import { Check, TypedField } from '../../../../ui/fields/Field.tsx'
import { useConvert } from '../../context.tsx'
import { resetChoices } from '../../../../tables/combine/match.ts'
import { safeName, withChoices, type Combination } from '../../../../tables/combine/combination.ts'
import { isBusy, type Job } from '../../model/job.ts'
import { SaveCombinedRecipe } from '../../panels/Recipes.tsx'
import { MatchedColumns } from './MatchedColumns.tsx'
import css from './Combination.module.css'

interface Props {
  readonly job: Job
  readonly combination: Combination
}

/** How the files' columns are matched, and which extra columns the combined table has. */
export default function CombinedColumnsPanel({ job, combination }: Props) {
  const { store } = useConvert()
  const locked = isBusy(job)
  const { choices, matched, name } = combination
  const reset = resetChoices(choices)
  const isChosen = JSON.stringify(reset) !== JSON.stringify(choices)
  const choose = (next: typeof choices): void => store.setCombination(job.id, (old) => withChoices(old, next))
  return (
    <div className={css.body}>
      <div className={css.settings}>
        <TypedField
          label="Name"
          className={css.name}
          compact
          disabled={locked}
          value={name}
          onChange={(text) => {
            const next = safeName(text)
            if (next !== '') store.setCombination(job.id, (old) => ({ ...old, name: next }))
          }}
        />
        <Check
          label="Add a column with the file’s name"
          checked={choices.fileColumn}
          disabled={locked}
          onChange={(fileColumn) => choose({ ...choices, fileColumn })}
        />
        <Check
          label="Add a column with the row’s number in its file"
          checked={choices.rowColumn}
          disabled={locked}
          onChange={(rowColumn) => choose({ ...choices, rowColumn })}
        />
        {isChosen ? (
          <Button size="small" look="quiet" disabled={locked} onClick={() => choose(reset)}>
            Reset columns
          </Button>
        ) : null}
        <SaveCombinedRecipe job={job} combination={combination} />
      </div>
      {matched ? (
        <>
          <MatchedColumns matching={matched.matching} choices={choices} locked={locked} onChange={choose} />
          <p className={css.foot}>
            {choices.recipe
              ? `Columns are matched as the recipe “${choices.recipe.name}” says.`
              : 'Columns are matched by name, ignoring case, spaces and punctuation.'}{' '}
            Where a file has none, its rows are null. Press a cell to choose another column.
          </p>
        </>
      ) : null}
    </div>
  )
}
