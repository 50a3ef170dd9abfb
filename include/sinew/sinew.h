/* Sinew: skeletal animation for glTF and VRM. This header includes every other. */
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include "sinew/aim.h"
#include "sinew/arm.h"
#include "sinew/check.h"
#include "sinew/crowd.h"
#include "sinew/document.h"
#include "sinew/feet.h"
#include "sinew/filter.h"
#include "sinew/follow.h"
#include "sinew/gltf.h"
#include "sinew/ground.h"
#include "sinew/hand.h"
#include "sinew/humanoid.h"
#include "sinew/instance.h"
#include "sinew/joints.h"
#include "sinew/json.h"
#include "sinew/look_at.h"
#include "sinew/memory.h"
#include "sinew/model.h"
#include "sinew/modifier.h"
#include "sinew/pose.h"
#include "sinew/result.h"
#include "sinew/skin.h"
#include "sinew/track.h"
#include "sinew/transform.h"
#include "sinew/twist.h"
#include "sinew/two_bone.h"
#include "sinew/two_bone_batch.h"
#include "sinew/vrm.h"

#endif
