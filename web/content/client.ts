/** Behaviours of the pages about files, history and changes. */
import { startCode } from "./client/code.ts";
import { startDiffs } from "./client/diffs.ts";
import { startEditors } from "./client/editor.ts";
import { startGoToFile } from "./client/go-to-file.ts";
import { startPushes } from "./client/pushes.ts";

startCode();
startDiffs();
startEditors();
startGoToFile();
startPushes();
