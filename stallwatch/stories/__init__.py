"""Why a run was warned or halted, told from its verdicts."""
