/** Task list checkboxes in a text, for lists of items (contract issues.md 18.6). */
export interface Tasks {
  readonly tasks: number;
  readonly tasksDone: number;
}

const TASK = /^[ \t]*[-*][ \t]+\[([ xX])\][ \t]+\S/gm;

export function countTasks(body: string): Tasks {
  let tasks = 0;
  let tasksDone = 0;
  for (const [, box] of body.matchAll(TASK)) {
    tasks++;
    if (box !== " ") tasksDone++;
  }
  return { tasks, tasksDone };
}
