/** What pages of files and directories do beyond showing them. */
import { startSideTree } from "../../components/client/side-tree.ts";
import { startFilesTree } from "../client/files-tree.ts";
import { startStickyHead } from "../client/sticky-head.ts";

startSideTree();
startFilesTree();
startStickyHead();
