#!/bin/bash
# Runs a study on a Slurm cluster: one task per shard, all with the same directory. The same
# command again continues what a time limit has stopped. Change STUDY, OUT and --array:
#
#	sbatch tools/cluster/slurm.sh
#
#SBATCH --job-name=memobench
#SBATCH --array=0-15            # 16 shards
#SBATCH --cpus-per-task=1       # one run at a time
#SBATCH --mem-per-cpu=4G
#SBATCH --time=12:00:00
#SBATCH --signal=INT@60         # a minute to save a checkpoint
#SBATCH --requeue

STUDY=fair
OUT=$HOME/runs/$STUDY           # seen by all nodes

exec srun memobench run "$STUDY" --shard "$SLURM_ARRAY_TASK_ID/16" --jobs 1 --quiet --out "$OUT"
