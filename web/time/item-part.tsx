import type { SeenIssue } from "../../src/issues/types.ts";
import { durationText, estimateText } from "../../src/time/duration.ts";
import type { WebServices } from "../area.ts";
import { type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { TextField } from "../components/form.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { personOf } from "../people.ts";
import { homeOf } from "../repos/frame.ts";
import { timeWords } from "./words/index.ts";

/** The time section of an item's page; undefined where time is not tracked. */
export interface ItemTimesProps {
  /** Base URL of the forms: the item's URL under `issues`. */
  readonly base: string;
  readonly estimate: string;
  readonly total: string;
  readonly sums: readonly { readonly person: Person | undefined; readonly text: string }[];
  /** When the viewer's stopwatch on this item was started. */
  readonly runningSince: Instant | undefined;
  /** The viewer's stopwatch runs on another item: starting one here stops it. */
  readonly runsElsewhere: boolean;
  /** The viewer's own entries, which they can delete; newest first. */
  readonly own: readonly { readonly id: number; readonly text: string; readonly at: Instant }[];
  readonly may: { readonly run: boolean; readonly track: boolean; readonly estimate: boolean };
}

const OWN_SHOWN = 10;

export function itemTimesProps({ identity, times }: WebServices, item: SeenIssue): ItemTimesProps | undefined {
  const { issue, seen } = item;
  if (!times.isOn(seen)) return undefined;
  const isOpen = !seen.repo.isArchived;
  const { user } = seen.principal;
  const sums = times.sums(item);
  const people = identity.byIds(sums.flatMap(({ userId }) => userId ?? []));
  const running = user && times.running(seen.principal);
  return {
    base: homeOf(seen, `issues/${issue.number}`),
    estimate: estimateText(issue.timeEstimate),
    total: durationText(sums.reduce((sum, { seconds }) => sum + seconds, 0)),
    sums: sums.map(({ seconds, userId }) => {
      const found = people.get(userId ?? 0);
      return { person: found && personOf(found), text: durationText(seconds) };
    }),
    runningSince: running?.issueId === issue.id ? running.startedAt : undefined,
    runsElsewhere: running !== undefined && running.issueId !== issue.id,
    own: user
      ? times
          .ownNewest(item, OWN_SHOWN)
          .map(({ createdAt: at, id, seconds }) => ({ id, at, text: durationText(seconds) }))
      : [],
    may: {
      run: isOpen && times.mayRunStopwatch(item),
      track: isOpen && times.mayTrack(item),
      estimate: isOpen && times.mayEstimate(item),
    },
  };
}

/** The time section of an item's page: a stopwatch, the tracked time, a form to add some, the estimate. */
export function ItemTimes(props: ItemTimesProps) {
  const { base, may, own, runningSince, runsElsewhere, sums } = props;
  const t = useWords(timeWords);
  return (
    <>
      {props.estimate === "" ? null : <p>{t("estimated", { span: props.estimate })}</p>}
      {props.total === "" ? <p class="muted">{t("nothing")}</p> : <p>{t("spent", { span: props.total })}</p>}
      {sums.length > 1 ? (
        <ul>
          {sums.map(({ person, text }) => (
            <li>
              {person ? <PersonName person={person} /> : t("someoneGone")} <span class="muted">{text}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {runningSince === undefined ? null : (
        <p>
          <Time at={runningSince} text={t("runningSince", { time: TIME })} />
        </p>
      )}
      {may.run ? (
        <div class="row">
          {runningSince === undefined ? (
            <form method="post" action={`${base}/times/stopwatch/start`}>
              <SubmitButton small icon="play">
                {t("start")}
              </SubmitButton>
            </form>
          ) : (
            <>
              <form method="post" action={`${base}/times/stopwatch/stop`}>
                <SubmitButton small kind="primary" icon="square-fill">
                  {t("stop")}
                </SubmitButton>
              </form>
              <form method="post" action={`${base}/times/stopwatch/cancel`}>
                <SubmitButton small>{t("discard")}</SubmitButton>
              </form>
            </>
          )}
        </div>
      ) : null}
      {may.run && runsElsewhere ? <p class="hint">{t("runsElsewhere")}</p> : null}
      {may.track ? (
        <details>
          <summary>{t("addTime")}</summary>
          <form class="form" method="post" action={`${base}/times/add`}>
            <TextField name="hours" type="number" label={t("hours")} inputmode="numeric" />
            <TextField name="minutes" type="number" label={t("minutes")} inputmode="numeric" />
            <SubmitButton small>{t("add")}</SubmitButton>
          </form>
        </details>
      ) : null}
      {may.track && own.length > 0 ? (
        <details>
          <summary>{t("ownTimes")}</summary>
          <ul>
            {own.map(({ at, id, text }) => (
              <li class="row">
                <span class="grow">
                  {text}{" "}
                  <span class="muted">
                    <Time at={at} />
                  </span>
                </span>
                <form method="post" action={`${base}/times/${id}/delete`}>
                  <SubmitButton small kind="quiet" icon="trash">
                    <span class="hidden-text">{t("takeBack", { span: text })}</span>
                  </SubmitButton>
                </form>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {may.estimate ? (
        <details>
          <summary>{t("estimate")}</summary>
          <form class="form" method="post" action={`${base}/time_estimate`}>
            <TextField
              name="time_estimate"
              label={t("estimate")}
              hint={t("estimateHint")}
              value={props.estimate}
              autocomplete="off"
              code
            />
            <SubmitButton small>{t("save")}</SubmitButton>
          </form>
        </details>
      ) : null}
    </>
  );
}
