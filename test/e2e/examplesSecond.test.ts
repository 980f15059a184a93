import { examplesLive } from "./examples/life";

examplesLive(1);
